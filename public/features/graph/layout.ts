// Where the nodes of a graph go: links pull, nodes push the nodes near them away, and all of it leans to the middle. Pure and
// deterministic. A step takes time in proportion to nodes and links: only nodes of neighbouring cells push each other.

export type Layout = {
  /** Coordinates by node. */
  x: Float32Array
  y: Float32Array
  /** Moves every node; false once they rest. */
  step(): boolean
}

const spacing = 28
/** Beyond it nodes do not push each other. */
const reach = 3 * spacing
const cooling = 0.985
const rest = 0.02
/** Nodes of one cell that push another node; where there are more, each counts for several. */
const maxPushing = 12

export function createLayout(count: number, links: readonly (readonly [number, number])[]): Layout {
  const x = new Float32Array(count)
  const y = new Float32Array(count)
  const degree = new Uint32Array(count)
  for (const [from, to] of links) {
    degree[from]! += 1
    degree[to]! += 1
  }
  // A spiral with the most linked in its middle.
  const order = Array.from({ length: count }, (_, node) => node).sort((a, b) => degree[b]! - degree[a]!)
  for (const [place, node] of order.entries()) {
    const radius = spacing * Math.sqrt(place)
    x[node] = radius * Math.cos(place * 2.399963)
    y[node] = radius * Math.sin(place * 2.399963)
  }
  const moves = { x: new Float32Array(count), y: new Float32Array(count) }
  let heat = 1

  return {
    x,
    y,
    step() {
      if (heat < rest || count < 2) return false
      moves.x.fill(0)
      moves.y.fill(0)
      push({ x, y }, moves)
      pull({ x, y }, moves, links, degree)
      for (let node = 0; node < count; node += 1) {
        const dx = moves.x[node]! - 0.004 * x[node]!
        const dy = moves.y[node]! - 0.004 * y[node]!
        const limit = (spacing * heat) / Math.max(1, Math.hypot(dx, dy) / spacing) / spacing
        x[node]! += dx * limit
        y[node]! += dy * limit
      }
      heat *= cooling
      return true
    },
  }
}

type Points = { x: Float32Array; y: Float32Array }

function push({ x, y }: Points, moves: Points): void {
  const cells = new Map<number, number[]>()
  const cellOf = (node: number) => keyOf(Math.floor(x[node]! / reach), Math.floor(y[node]! / reach))
  for (let node = 0; node < x.length; node += 1) {
    const key = cellOf(node)
    const cell = cells.get(key)
    if (cell) cell.push(node)
    else cells.set(key, [node])
  }
  for (let node = 0; node < x.length; node += 1) {
    const column = Math.floor(x[node]! / reach)
    const row = Math.floor(y[node]! / reach)
    for (let across = -1; across <= 1; across += 1) {
      for (let down = -1; down <= 1; down += 1) {
        const cell = cells.get(keyOf(column + across, row + down))
        if (cell) pushFrom(cell, node, { x, y }, moves)
      }
    }
  }
}

function pushFrom(cell: readonly number[], node: number, { x, y }: Points, moves: Points): void {
  const stride = Math.ceil(cell.length / maxPushing)
  for (let at = node % stride; at < cell.length; at += stride) {
    const other = cell[at]!
    if (other === node) continue
    let dx = x[node]! - x[other]!
    const dy = y[node]! - y[other]!
    if (dx === 0 && dy === 0) dx = node < other ? -1 : 1
    const square = dx * dx + dy * dy
    if (square > reach * reach) continue
    const force = (stride * spacing * spacing * 0.5) / Math.max(square, 16)
    moves.x[node]! += dx * force * 0.2
    moves.y[node]! += dy * force * 0.2
  }
}

function pull(
  { x, y }: Points,
  moves: Points,
  links: readonly (readonly [number, number])[],
  degree: Uint32Array,
): void {
  for (const [from, to] of links) {
    const dx = x[to]! - x[from]!
    const dy = y[to]! - y[from]!
    const length = Math.hypot(dx, dy) || 1
    const force = (0.3 * (length - spacing)) / length
    // What is linked much hardly moves for one of its links.
    const share = degree[from]! / (degree[from]! + degree[to]!)
    moves.x[from]! += dx * force * (1 - share)
    moves.y[from]! += dy * force * (1 - share)
    moves.x[to]! -= dx * force * share
    moves.y[to]! -= dy * force * share
  }
}

/** One number for a cell; cells within ±32,000 have different ones. */
const keyOf = (column: number, row: number) => (column + 32_768) * 65_536 + (row + 32_768)
