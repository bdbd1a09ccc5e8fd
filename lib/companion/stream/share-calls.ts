/** `call`, of which those that ask for the same at the same time share one run: arguments are the same as JSON. */
export function shareCalls<Given extends unknown[], Result>(
  call: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  const inFlight = new Map<string, Promise<Result>>()

  return (...given) => {
    const key = JSON.stringify(given)
    const known = inFlight.get(key)
    if (known) return known
    const run = call(...given).finally(() => inFlight.delete(key))
    inFlight.set(key, run)
    return run
  }
}
