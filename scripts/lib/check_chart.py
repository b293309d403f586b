"""Renders the chart of workers with Helm's own code and holds what comes out against Kubernetes' schemas.

Usage: python3 check_chart.py CHART VALUES.json, with the packages of scripts/clients on PYTHONPATH.
Prints {"findings": [...], "objects": [...]} as JSON, or {"refused": "..."} where Helm or the chart's schema says no.
"""

import json
import sys

import helm_python as helm
import kubernetes_validate
import yaml

chart_path, values = sys.argv[1], json.loads(sys.argv[2])
try:
    with helm.Chart.load(chart_path) as chart:
        chart.validate_schema(values)
        rendered = chart.render(values, name="demo", namespace="go")
    linted = helm.lint(chart_path, values, strict=True)
except helm.HelmError as error:
    print(json.dumps({"refused": str(error)}))
    sys.exit(0)
objects = []
for name, text in rendered.items():
    if not name.endswith(".yaml"):
        continue
    for value in yaml.safe_load_all(text):
        if value:
            kubernetes_validate.validate(value, "1.31", strict=True)
            objects.append(value)
# A chart needs no picture.
findings = [message["error"] for message in linted["messages"] if message["error"] != "icon is recommended"]
print(json.dumps({"findings": findings, "objects": objects}))
