/** The question with a slip in its longest word: two neighbours swapped, one left out, doubled or replaced in turn. */
export function withTypo(question: string, turn: number): string {
  const words = question.match(/\p{L}{4,}/gu) ?? []
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '')
  return longest ? question.replace(longest, slip(longest, turn)) : question
}

function slip(word: string, turn: number): string {
  const at = 1 + (turn % (word.length - 2))
  const [before, here, next, after] = [word.slice(0, at), word[at]!, word[at + 1]!, word.slice(at + 2)]
  if (turn % 4 === 0 && here !== next) return before + next + here + after
  if (turn % 4 <= 1) return before + next + after
  if (turn % 4 === 2) return before + here + here + next + after
  return before + (here === 'x' ? 'z' : 'x') + next + after
}
