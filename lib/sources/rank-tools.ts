/** What is looked through for a tool. */
export type RankedTool = {
  source: string
  name: string
  title?: string | undefined
  description?: string | undefined
}

/** The tools whose names and descriptions hold most of the words, best first; without words all of them. */
export function rankTools<One extends RankedTool>(tools: readonly One[], q: string): One[] {
  const wanted = [...new Set(wordsOf(q))]
  if (wanted.length === 0) return [...tools]
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool }) => tool)
}

function scoreOf(
  { source, name, title = '', description = '' }: RankedTool,
  wanted: readonly string[],
): number {
  const inName = wordsOf(`${name} ${title}`)
  const inRest = wordsOf(`${source} ${description.slice(0, 4000)}`)
  return wanted.reduce((sum, word) => sum + 3 * countOf(inName, word) + countOf(inRest, word), 0)
}

/** 1 for the word itself, half for another form of it. */
function countOf(words: readonly string[], wanted: string): number {
  if (words.includes(wanted)) return 1
  const stem = wanted.length > 4 ? wanted.slice(0, -2) : wanted
  return stem.length > 2 && words.some((word) => word.startsWith(stem)) ? 0.5 : 0
}

/** `readTextFile` and `read_text_file` are three words. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
