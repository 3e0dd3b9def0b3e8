"""A chain of capitals: each begins with the letter with which the one before ends."""

import numpy as np

import playout as po

CAPITALS = """
abuja accra algiers amman amsterdam andorra ankara antananarivo apia ashgabat asmara astana
asuncion athens baghdad baku bamako bangkok bangui banjul basseterre beijing beirut belgrade
belmopan berlin bern bishkek bissau bogota brasilia bratislava brazzaville bridgetown brussels
bucharest budapest cairo canberra caracas castries chisinau colombo conakry copenhagen dakar
damascus dhaka dili djibouti dodoma doha dublin dushanbe freetown funafuti gaborone georgetown
gitega guatemala hanoi harare havana helsinki honiara islamabad jakarta jerusalem juba kabul
kampala kathmandu khartoum kigali kingston kingstown kinshasa kyiv libreville lilongwe lima
lisbon ljubljana lome london luanda lusaka luxembourg madrid majuro malabo male managua manama
manila maputo maseru mbabane minsk mogadishu monaco monrovia montevideo moroni moscow muscat
nairobi nassau naypyidaw ndjamena newdelhi niamey nicosia nouakchott nukualofa oslo ottawa
ouagadougou palikir panama paramaribo paris podgorica portlouis portmoresby portvila prague
praia pretoria pyongyang quito rabat reykjavik riga riyadh rome roseau sanaa sanjose sanmarino
sansalvador santiago santodomingo saotome sarajevo seoul singapore skopje sofia stockholm sucre
suva taipei tallinn tarawa tashkent tbilisi tegucigalpa tehran thimphu tirana tokyo tripoli
tunis ulaanbaatar vaduz valletta vatican victoria vienna vientiane vilnius warsaw washington
wellington windhoek yamoussoukro yaounde yaren yerevan zagreb
"""


class Capitals(po.Problem):
    """The number of capitals in the chain; each may be named once."""

    fields = ("first", "last")

    def __init__(self):
        self.names = CAPITALS.split()
        self.first = np.array([ord(name[0]) - ord("a") for name in self.names])
        self.last = np.array([ord(name[-1]) - ord("a") for name in self.names])
        self.state_type = po.record(named=("?", len(self.names)), letter="i4", count="i4")
        self.move_type = "i4"
        self.max_moves = self.max_length = len(self.names)

    def reset(self, state):
        state.letter = -1

    def moves(self, state, moves):
        n = 0
        for name in range(len(self.first)):
            if not state.named[name] and (state.letter < 0 or self.first[name] == state.letter):
                moves[n] = name
                n += 1
        return n

    def play(self, state, move):
        state.named[move] = True
        state.letter = self.last[move]
        state.count += 1

    def score(self, state):
        return state.count

    def move_text(self, state, move):
        return self.names[int(move)]
