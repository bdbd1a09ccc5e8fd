// How many tries there were, and which went through.

export const outcome = { tried: 0, falls: [] }

/** Runs one try; it fell when it answers with words. */
export function attempt(what, run) {
  outcome.tried += 1
  try {
    const got = run()
    if (got) outcome.falls.push(`${what}: ${got}`)
  } catch {}
}
