# SPDX-License-Identifier: Apache-2.0
"""What is on the disk after a run, and what it is worth: manifest, CSV and HDF5 (by libhdf5, if the machine has it)."""
import ctypes
import ctypes.util
import functools
import json


class Hdf5:
    """As much of libhdf5 as it takes to read a column of numbers."""

    def __init__(self, library):
        self.lib = ctypes.CDLL(library)
        for function, result in (("H5Fopen", ctypes.c_int64), ("H5Dopen2", ctypes.c_int64),
                                 ("H5Dget_space", ctypes.c_int64), ("H5Sget_simple_extent_npoints", ctypes.c_int64)):
            getattr(self.lib, function).restype = result
        self.lib.H5open()
        self.lib.H5Eset_auto2(ctypes.c_int64(0), None, None)
        self.double = ctypes.c_int64(ctypes.c_int64.in_dll(self.lib, "H5T_NATIVE_DOUBLE_g").value)

    def column(self, path, name):
        """The numbers of a dataset, or None where the file or the dataset cannot be read."""
        i64, lib = ctypes.c_int64, self.lib
        file = lib.H5Fopen(str(path).encode(), 0, i64(0))
        if file < 0:
            return None
        dataset = lib.H5Dopen2(i64(file), name.encode(), i64(0))
        values = None
        if dataset >= 0:
            space = lib.H5Dget_space(i64(dataset))
            values = (ctypes.c_double * lib.H5Sget_simple_extent_npoints(i64(space)))()
            if lib.H5Dread(i64(dataset), self.double, i64(0), i64(0), i64(0), values) < 0:
                values = None
            lib.H5Sclose(i64(space))
            lib.H5Dclose(i64(dataset))
        lib.H5Fclose(i64(file))
        return None if values is None else list(values)


@functools.cache
def hdf5():
    library = ctypes.util.find_library("hdf5_serial") or ctypes.util.find_library("hdf5")
    return Hdf5(library) if library else None


def manifest_of(directory):
    """The manifest, {} where there is none, None where it is no JSON object."""
    path = directory / "manifest.json"
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text())
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def lines_of(directory):
    """The lines of results.csv without their breaks, and whether the last one has its break."""
    path = directory / "results.csv"
    text = path.read_text() if path.exists() else ""
    return text.split("\n")[:-1] if text.endswith("\n") else text.split("\n"), text.endswith("\n")


def same_as_hdf5(case, directory, lines, columns=2):
    """Holds results.h5 against the lines of a CSV file of the same run: it is readable, and has the first so many
    rows. Gives their number."""
    path = directory / "results.h5"
    if hdf5() is None or not path.exists():
        return None
    names = lines[0].split(",")
    rows = None
    for k in {0, *(case.random.randrange(len(names)) for _ in range(columns))}:
        values = hdf5().column(path, "/time" if k == 0 else f"/signals/{names[k]}")
        if not case.expect(values is not None, f"{path}: {names[k]} cannot be read"):
            return None
        wanted = [float(line.split(",")[k]) for line in lines[2:2 + len(values)]]
        case.expect(values == wanted, f"{path}: {names[k]} is not that of the undisturbed run")
        case.expect(rows in (None, len(values)), f"{path}: columns of different lengths")
        rows = len(values)
    return rows


def whole(case, directory, reference, what="the run"):
    """A run that ended well: its files are those of the undisturbed one, to the bit."""
    manifest = manifest_of(directory)
    case.expect(manifest and manifest.get("status") == "ok", f"{what}: exit code 0 and no manifest that says ok")
    lines, _ = lines_of(directory)
    wanted, _ = lines_of(reference)
    case.expect(lines == wanted, f"{what}: exit code 0, and results.csv is not that of the undisturbed run")
    rows = same_as_hdf5(case, directory, wanted)
    case.expect(rows in (None, len(wanted) - 2), f"{what}: exit code 0 and {rows} rows of {len(wanted) - 2} in results.h5")


def part(case, directory, reference, killed, what="the run"):
    """A run that was ended on its way: what it left is the beginning of the undisturbed one. Gives its rows."""
    lines, ended = lines_of(directory)
    wanted, _ = lines_of(reference)
    if lines and not ended:
        case.expect(killed or lines == [""], f"{what}: results.csv ends within a line")
        last = lines.pop()
        nxt = wanted[len(lines)] if len(lines) < len(wanted) else ""
        case.expect(nxt.startswith(last), f"{what}: the cut line of results.csv is none of the undisturbed run")
    case.expect(lines == wanted[:len(lines)], f"{what}: results.csv is not the beginning of the undisturbed run")
    same_as_hdf5(case, directory, wanted)
    return max(0, len(lines) - 2)


def goes_on(case, directory, reference, what="the resumed run"):
    """A resumed run: its rows are the last ones of the undisturbed run, to the bit. A first row between two rows of
    that, where the checkpoint fell, is its own."""
    lines, _ = lines_of(directory)
    wanted, _ = lines_of(reference)
    rows = lines[2:]
    if rows and rows[0] not in wanted:
        times = {line.split(",")[0] for line in wanted[2:]}
        case.expect(rows[0].split(",")[0] not in times, f"{what}: its first row is not that of the undisturbed run")
        rows = rows[1:]
    case.expect(lines[:2] == wanted[:2], f"{what}: another header")
    case.expect(rows == wanted[len(wanted) - len(rows):], f"{what}: results differ from those of the undisturbed run")
    case.expect(not wanted[2:] or lines[-1] == wanted[-1], f"{what}: does not end where the undisturbed run does")
    same_as_hdf5(case, directory, lines)
