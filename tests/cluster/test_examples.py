"""The ways to start a cluster that the examples show, as far as they can be checked here."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "cluster"


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_the_script_for_slurm_is_a_script():
    subprocess.run(["bash", "-n", EXAMPLES / "slurm.sh"], check=True)
    text = (EXAMPLES / "slurm.sh").read_text()
    assert "RAY_AUTH_MODE=token" in text
    assert "--cluster auto" in text


def test_kuberay_has_the_parts_of_a_cluster():
    yaml = pytest.importorskip("yaml")
    found = yaml.safe_load((EXAMPLES / "kuberay.yaml").read_text())
    assert (found["apiVersion"], found["kind"]) == ("ray.io/v1", "RayCluster")
    spec = found["spec"]
    assert spec["authOptions"] == {"mode": "token"}
    assert spec["headGroupSpec"]["rayStartParams"]["num-cpus"] == "0"
    for group in [spec["headGroupSpec"], *spec["workerGroupSpecs"]]:
        (container,) = group["template"]["spec"]["containers"]
        assert {"name", "image", "resources"} <= set(container)
    mounts = spec["headGroupSpec"]["template"]["spec"]
    assert {m["name"] for m in mounts["containers"][0]["volumeMounts"]} == {
        volume["name"] for volume in mounts["volumes"]
    }


def test_machines_fit_rays_schema():
    yaml, jsonschema = pytest.importorskip("yaml"), pytest.importorskip("jsonschema")
    ray = importlib.util.find_spec("ray")  # not imported: it would put a print of its own in place
    if ray is None or ray.origin is None:
        pytest.skip("Ray is not installed (extra cluster)")
    found = yaml.safe_load((EXAMPLES / "machines.yaml").read_text())
    schema = Path(ray.origin).parent / "autoscaler" / "ray-schema.json"
    jsonschema.validate(found, json.loads(schema.read_text()))
    starts = [*found["head_start_ray_commands"], *found["worker_start_ray_commands"]]
    assert all("RAY_AUTH_MODE=token" in line for line in starts if "ray start" in line)
