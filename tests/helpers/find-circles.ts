/**
 * The circles of a graph: each set of nodes of which every one leads to every other, sorted (Tarjan's strongly
 * connected components of more than one node).
 */
export function findCircles(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []

  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return circles.toSorted((a, b) => (a.join() < b.join() ? -1 : 1))

  function visit(node: string): number {
    const own = order.size
    let low = own
    order.set(node, own)
    lowest.set(node, own)
    open.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (open.includes(next)) low = Math.min(low, lowest.get(next)!)
      lowest.set(node, low)
    }
    if (low === own) {
      const circle = open.splice(open.indexOf(node))
      if (circle.length > 1) circles.push(circle.toSorted())
    }
    return low
  }
}
