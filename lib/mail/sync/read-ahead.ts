/** What is read of each item, in order; the next one is read while the last is dealt with. Rejects with what `read` does. */
export async function* readAhead<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  let next: Promise<Result> | null = null
  try {
    for (const [at, item] of items.entries()) {
      const result = await (next ?? read(item))
      const following = items[at + 1]
      next = following === undefined ? null : read(following)
      // It may fail while nobody waits for it yet.
      next?.catch(() => {})
      yield result
    }
  } finally {
    // Who stops in between has no reading under way behind them.
    await next?.catch(() => {})
  }
}
