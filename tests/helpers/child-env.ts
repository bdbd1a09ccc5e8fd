/**
 * What every process that a test starts is given, and nothing else of this one's environment. The cache of compiled
 * modules (vitest.config.ts) halves the time that a server takes to load.
 */
export const childEnv: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)

/** For one that does not live long enough to gain from machine code of PGlite made for speed: 2 s of a processor, 600 MB. */
export const childFlags: readonly string[] = ['--liftoff-only']
