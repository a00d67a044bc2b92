{
  lib,
  stdenv,
  fetchurl,
  meson,
  ninja,
  pkg-config,
  python3,
  simde,
  jansson,
  cmocka,
  testers,
}:

stdenv.mkDerivation (finalAttrs: {
  pname = "gyre";
  version = "@VERSION@";

  src = fetchurl {
    url = "@ARCHIVE_URL@";
    hash = "@SHA256_SRI@";
  };

  nativeBuildInputs = [
    meson
    ninja
    pkg-config
    python3
  ];

  buildInputs = [
    simde
  ]
  ++ lib.optionals stdenv.hostPlatform.isLinux [ jansson ];

  checkInputs = [ cmocka ];

  mesonFlags = [
    (lib.mesonEnable "tools" stdenv.hostPlatform.isLinux)
    (lib.mesonEnable "tests" finalAttrs.finalPackage.doCheck)
    (lib.mesonEnable "bench" false)
  ];

  # The tests of the functions and of the program, with a fiftieth of the random inputs, because the machine may be
  # busy. The others test only the project's own files.
  doCheck = stdenv.hostPlatform.isLinux && stdenv.buildPlatform.canExecute stdenv.hostPlatform;
  preCheck = "export OMP_WAIT_POLICY=passive GYRE_TEST_EFFORT=small";
  mesonCheckFlags = [
    "--no-suite=build"
    "--no-suite=embedding"
    "--no-suite=packages"
    "--timeout-multiplier=10"
  ];

  passthru.tests.pkg-config = testers.testMetaPkgConfig finalAttrs.finalPackage;

  meta = {
    description = "SIMD-batched physics kernels with the same bits on every CPU";
    homepage = "@HOMEPAGE@";
    license = lib.licenses.mit;
    maintainers = [ ];
    mainProgram = "gyre";
    pkgConfigModules = [ "gyre" ];
    platforms = lib.platforms.unix;
  };
})
