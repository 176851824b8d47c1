# SPDX-License-Identifier: MIT
"""A linear model in whole numbers, solved by HiGHS, one objective after the other.

HiGHS computes with floating point. Every solution it gives is rounded and checked in whole numbers against every row,
so that a solution is never wrong by a tolerance; that it is the best one rests on HiGHS.
"""
from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from math import gcd

import highspy

Terms = dict[int, int]  # coefficient by variable


@dataclass(frozen=True)
class Row:
    terms: Terms
    low: int | None
    high: int | None

    def holds(self, solution: list[int]) -> bool:
        activity = sum(c * solution[v] for v, c in self.terms.items())
        return (self.low is None or activity >= self.low) and (self.high is None or activity <= self.high)


class IntegerModel:
    def __init__(self) -> None:
        self.bounds: list[tuple[int, int]] = []
        self.rows: list[Row] = []

    def variable(self, low: int = 0, high: int = 1) -> int:
        self.bounds.append((low, high))
        return len(self.bounds) - 1

    def at_most(self, terms: Terms, high: int) -> None:
        self.rows.append(Row(terms, None, high))

    def at_least(self, terms: Terms, low: int) -> None:
        self.rows.append(Row(terms, low, None))

    def equals(self, terms: Terms, value: int) -> None:
        self.rows.append(Row(terms, value, value))

    def minimise(self, objectives: list[Terms], fixed: dict[int, int] | None = None) -> list[int] | None:
        """The solution that is best in the first objective, among those in the second, and so on; None without one.

        `fixed` gives variables a value for this time only.
        """
        solver = _Solver(self, fixed or {})
        solution = solver.solve({})
        for terms in objectives:
            if solution is None:
                return None
            value = sum(c * solution[v] for v, c in terms.items())
            least = sum(c * self.bounds[v][0 if c > 0 else 1] for v, c in terms.items())
            if value > least:
                solution = solver.solve(terms)
                assert solution is not None, "a model that had a solution has none"
                value = sum(c * solution[v] for v, c in terms.items())
            solver.add(Row(terms, None, value))
        return solution


class _Solver:
    def __init__(self, model: IntegerModel, fixed: dict[int, int]) -> None:
        self._rows: list[Row] = []
        self._bounds = [(fixed[v], fixed[v]) if v in fixed else b for v, b in enumerate(model.bounds)]
        self._highs = highspy.Highs()
        for option, value in {"output_flag": False, "threads": 1, "mip_rel_gap": 0.0, "mip_abs_gap": 0.5,
                              "mip_feasibility_tolerance": 1e-9, "primal_feasibility_tolerance": 1e-9}.items():
            self._highs.setOptionValue(option, value)
        for v, (low, high) in enumerate(self._bounds):
            self._highs.addVar(low, high)
            self._highs.changeColIntegrality(v, highspy.HighsVarType.kInteger)
        for row in model.rows:
            self.add(row)

    def add(self, row: Row) -> None:
        self._rows.append(row)
        # Small coefficients keep the tolerances of the solver away from the whole numbers between them.
        divisor = reduce(gcd, row.terms.values(), 0) or 1
        low = -highspy.kHighsInf if row.low is None else -(-row.low // divisor)
        high = highspy.kHighsInf if row.high is None else row.high // divisor
        self._highs.addRow(low, high, len(row.terms), list(row.terms), [c // divisor for c in row.terms.values()])

    def solve(self, objective: Terms) -> list[int] | None:
        divisor = reduce(gcd, objective.values(), 0) or 1
        for v in range(len(self._bounds)):
            self._highs.changeColCost(v, objective.get(v, 0) // divisor)
        self._highs.run()
        status = self._highs.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return None
        if status != highspy.HighsModelStatus.kOptimal:
            raise RuntimeError(f"HiGHS ends with {self._highs.modelStatusToString(status)}")
        solution = [round(x) for x in self._highs.getSolution().col_value]
        for v, (low, high) in enumerate(self._bounds):
            if not low <= solution[v] <= high:
                raise RuntimeError("a rounded variable is outside its bounds")
        if not all(row.holds(solution) for row in self._rows):
            raise RuntimeError("a rounded solution breaks a row")
        return solution
