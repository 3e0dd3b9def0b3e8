"""playout/study/kinds"""
