import { inBrowser } from '#platform'

/** Puts nodes into a list in their order, moving none that is in its place: a moved node loses its focus. */
export function placeNodes(list: HTMLElement, nodes: readonly HTMLElement[]): void {
  if (!inBrowser) {
    list.replaceChildren(...nodes)
    return
  }
  const wanted = new Set<Element>(nodes)
  for (const child of [...list.children]) if (!wanted.has(child)) child.remove()
  for (const [index, node] of nodes.entries()) {
    if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null)
  }
}
