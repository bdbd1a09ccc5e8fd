import { parseAst } from 'vitest/node'
import { isNode, type Node, walk } from './read-modules.ts'

export type FunctionLines = { name: string; lines: number }

/**
 * The functions of a text with the lines of their own. Blank lines don't count. A function inside counts as one line, as
 * it has lines of its own; so does an object or a pattern: its properties are a list, however it is formatted.
 */
export function functionLines(text: string): FunctionLines[] {
  const lineAt = createLineAt(text)
  const functions: FunctionLines[] = []

  walk(parseAst(text, { lang: 'ts' }), (node) => {
    if (!isFunction(node)) return
    const first = lineAt(node.start)
    const last = lineAt(node.end)
    const own = new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index))
    for (const { start, end } of Object.values(node).flatMap(countedAsOne)) {
      for (let line = lineAt(start) + 1; line <= lineAt(end); line += 1) own.delete(line)
    }
    const lines = text.split('\n')
    functions.push({
      name: `line ${first}`,
      lines: [...own].filter((line) => lines[line - 1]?.trim()).length,
    })
  })
  return functions
}

type Placed = Node & { start: number; end: number }

const functionTypes = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
const listTypes = ['ObjectExpression', 'ObjectPattern']

const isFunction = (node: Node): node is Placed => functionTypes.includes(node.type)
const isList = (node: Node): node is Placed => listTypes.includes(node.type)

/** The outermost functions and lists. */
function countedAsOne(value: unknown): Placed[] {
  if (Array.isArray(value)) return value.flatMap(countedAsOne)
  if (!isNode(value)) return []
  return isFunction(value) || isList(value) ? [value] : Object.values(value).flatMap(countedAsOne)
}

function createLineAt(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1
}
