/** Where a run of words begins among others, each place from 0. Knuth, Morris and Pratt: linear in both. */
export function findRuns(all: readonly string[], run: readonly string[], max = Infinity): number[] {
  const found: number[] = []
  if (run.length === 0) return found
  const borders = bordersOf(run)
  let matched = 0
  for (let at = 0; at < all.length && found.length < max; at++) {
    while (matched > 0 && run[matched] !== all[at]) matched = borders[matched - 1]!
    if (run[matched] === all[at]) matched++
    if (matched < run.length) continue
    found.push(at - run.length + 1)
    matched = borders[matched - 1]!
  }
  return found
}

/** For each beginning of the run, the length of its longest end that is also a beginning of it. */
function bordersOf(run: readonly string[]): number[] {
  const borders = [0]
  let length = 0
  for (let at = 1; at < run.length; at++) {
    while (length > 0 && run[at] !== run[length]) length = borders[length - 1]!
    if (run[at] === run[length]) length++
    borders.push(length)
  }
  return borders
}
