import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from fake_service import FakeService


@pytest.fixture
def service():
    made = FakeService().start()
    yield made
    made.stop()
