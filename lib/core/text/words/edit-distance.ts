/**
 * Measures other words against `one`: the fewest insertions, deletions, replacements and swaps of neighbours that turn
 * the one into the other (optimal string alignment), or `most + 1` where it is more than `most`. Only the diagonal
 * band that can matter is looked at, and no memory is taken per word: a whole vocabulary goes through here.
 */
export function distanceFrom(one: string, most: number): (other: string) => number {
  const width = one.length + most + 2
  const tooFar = most + 1
  let [beforeLast, last, current] = [new Int32Array(width), new Int32Array(width), new Int32Array(width)]

  return (other) => {
    if (Math.abs(one.length - other.length) > most) return tooFar
    for (let column = 0; column <= other.length; column += 1) last[column] = column

    for (let row = 1; row <= one.length; row += 1) {
      const first = Math.max(1, row - most)
      const end = Math.min(other.length, row + most)
      current[first - 1] = first === 1 ? row : tooFar
      let least = current[first - 1]!
      for (let column = first; column <= end; column += 1) {
        const cost = cell(one, other, row, column)
        current[column] = cost
        if (cost < least) least = cost
      }
      if (least > most) return tooFar
      if (end < other.length) current[end + 1] = tooFar
      const free = beforeLast
      beforeLast = last
      last = current
      current = free
    }
    return Math.min(last[other.length]!, tooFar)
  }

  function cell(a: string, b: string, row: number, column: number): number {
    const letter = a.charCodeAt(row - 1)
    const opposite = b.charCodeAt(column - 1)
    let cost = last[column - 1]! + (letter === opposite ? 0 : 1)
    if (last[column]! + 1 < cost) cost = last[column]! + 1
    if (current[column - 1]! + 1 < cost) cost = current[column - 1]! + 1
    if (
      row === 1 ||
      column === 1 ||
      letter !== b.charCodeAt(column - 2) ||
      a.charCodeAt(row - 2) !== opposite
    )
      return cost
    return Math.min(cost, beforeLast[column - 2]! + 1)
  }
}
