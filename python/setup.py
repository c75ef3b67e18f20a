"""Has CMake build the extension: `pip install ./python` (docs/guide/python.md). In the folder of GROMA_BUILD, if it is set, which is configured
already, for the same Python; otherwise in one of its own."""
import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent.parent


def version() -> str:
    return re.search(r"project\(groma VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        build = os.environ.get("GROMA_BUILD")
        if not build:
            build = pathlib.Path(self.build_temp).absolute()
            subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DGROMA_TESTS=OFF", "-DGROMA_PYTHON=ON",
                            f"-DPython3_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "groma_python", "--parallel", str(os.cpu_count())], check=True)
        place = pathlib.Path(self.get_ext_fullpath(extension.name)).absolute()
        built = pathlib.Path(build, "python", "groma", place.name)
        if not built.exists():
            raise SystemExit(f"{built} was not built: was {build} configured for {sys.executable}, with pybind11 (pybind11-dev)?")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(built.read_bytes())


setup(version=version(), ext_modules=[Extension("groma._log", sources=[])], cmdclass={"build_ext": CMakeBuild})
