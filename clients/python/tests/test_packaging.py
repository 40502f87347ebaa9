"""The package as it is published: built, checked, and put into an empty environment."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def has(module):
    return importlib.util.find_spec(module) is not None


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    if not has("hatchling"):
        pytest.skip("hatchling is not installed")
    folder = tmp_path_factory.mktemp("dist")
    copy = folder / "src"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "dist", "__pycache__"))
    for target in ("wheel", "sdist"):
        command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
        subprocess.run(command, cwd=copy, check=True, capture_output=True)
    return folder


def test_the_wheel_has_the_package_and_nothing_else(dist):
    (wheel,) = dist.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "zaehlwerk/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {name.split("/")[0] for name in names} == {"zaehlwerk", "zaehlwerk-0.3.0.dist-info"}
    assert wheel.stat().st_size < 150_000


@pytest.mark.skipif(not has("twine"), reason="twine is not installed")
def test_the_index_would_take_it(dist):
    files = [str(file) for file in (*dist.glob("*.whl"), *dist.glob("*.tar.gz"))]
    assert len(files) == 2
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *files], check=True)


def test_an_empty_project_sends_calls_with_it(dist, service, tmp_path):
    (wheel,) = dist.glob("*.whl")
    venv.create(tmp_path / "venv", with_pip=False)
    python = next(
        path for path in (tmp_path / "venv/bin/python", tmp_path / "venv/Scripts/python.exe") if path.exists()
    )
    installed = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    # A wheel without dependencies and scripts is installed by unpacking it.
    zipfile.ZipFile(wheel).extractall(installed)
    script = Path(__file__).parent / "wheel.py"
    subprocess.run([str(python), "-I", str(script), service.url], check=True, cwd=tmp_path, timeout=120)
    (event,) = service.events
    assert (event["agent"], event["endkunde_ref"], event["eingabe_token"]) == ("support/triage", "K-1", 7)
    assert event["schritt_nr"] == 1
    assert event["ereignis_id"] == "14ee1b95-e0cf-5a3c-808c-0675495d157b"
