"""In: findings. Out: the report of a check, its exit code, its JSON and the schema of that JSON."""

from svod.report.making import Report, Summary, make_report
from svod.report.schema import report_schema
from svod.report.to_json import finding_to_json, report_to_json

__all__ = ["Report", "Summary", "finding_to_json", "make_report", "report_schema", "report_to_json"]
