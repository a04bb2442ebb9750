"""Write src/hyperbaton/report/assets/drawing.js.gz: Vega, Vega-Lite and Vega-Embed as one script.

    python scripts/build_drawing.py

vl-convert-python brings the three and puts them together, which takes seconds and gives the same
bytes each time; so it is done here, once for each release of them, and not for every user. Run it
after SCHEMA of `report/charts/vegalite.py` names another version, and name the new version in
NOTICE.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import vl_convert

from hyperbaton.report.charts.specs import vegalite_version

OFFER = "window.vegaEmbed = vegaEmbed;"
PLACE = Path(__file__).parent.parent / "src/hyperbaton/report/assets/drawing.js.gz"


def main() -> None:
    """Put it together and write it."""
    code = vl_convert.javascript_bundle(OFFER, vl_version=vegalite_version())
    PLACE.write_bytes(gzip.compress(code.encode(), 9, mtime=0))
    print(f"{PLACE}: Vega-Lite {vegalite_version()}, {PLACE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
