import type { Entity } from '../../../lib/contract/entities.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { type KindType, kindNames } from '../../ui/words/addresses.ts'
import { ApiError, messageOf } from '../api/api.ts'
import type { App } from '../app.ts'

export type One = Pick<Entity, 'id' | 'title' | 'version'>

type Change<Row extends One, Result> = {
  /** In the past tense, such as "Moved 3 pages to trash." */
  done: (count: number) => string
  apply: (row: Row) => Promise<Result>
  undo: (row: Row, result: Result) => Promise<unknown>
  /** After all are changed, and after they are changed back. */
  after: () => unknown
}

/**
 * Changes several things, one after another; what fails is told, and one Undo changes the others back, each of them,
 * whether or not another fails.
 */
export async function changeMany<Row extends One, Result>(
  app: App,
  rows: readonly Row[],
  { done, apply, undo, after }: Change<Row, Result>,
): Promise<void> {
  const changed: { title: string; row: Row; result: Result }[] = []
  const failed = await runEach(rows, async (row) => {
    changed.push({ title: row.title, row, result: await apply(row) })
  })
  await after()
  const run = async () => {
    const failed = await runEach(changed.toReversed(), ({ row, result }) => undo(row, result))
    await after()
    if (failed.length > 0) app.toast(`Not undone: ${listFew(failed)}`, { tone: 'problem' })
  }
  const words = [
    changed.length > 0 && done(changed.length),
    failed.length > 0 && `Not changed: ${listFew(failed)}`,
  ]
  app.toast(words.filter(Boolean).join(' '), {
    tone: failed.length > 0 ? 'problem' : 'plain',
    ...(changed.length > 0 ? { action: { label: 'Undo', run } } : {}),
  })
}

/** Runs an act for each, one after another; the titles of those that failed, and why. */
async function runEach<Row extends Pick<One, 'title'>>(
  rows: readonly Row[],
  act: (row: Row) => Promise<unknown>,
): Promise<string[]> {
  const failed: string[] = []
  for (const row of rows) {
    try {
      await act(row)
    } catch (error) {
      const isOutdated = error instanceof ApiError && error.status === 409
      failed.push(`${quoteShown(row.title)}: ${isOutdated ? 'changed in the meantime' : messageOf(error)}`)
    }
  }
  return failed
}

const listFew = (failed: readonly string[]) =>
  `${failed.slice(0, 3).join('; ')}${failed.length > 3 ? ' …' : ''}`

/** Moves several things of a kind to the trash. */
export const deleteMany = (
  app: App,
  type: KindType,
  rows: readonly One[],
  after: () => unknown,
): Promise<void> => {
  const { one, many, path } = kindNames[type]
  return changeMany(app, rows, {
    done: (count) => `Moved ${count} ${(count === 1 ? one : many).toLowerCase()} to trash.`,
    apply: ({ id, version }) => app.api.delete(`/api/${path}/${id}`, { version }),
    undo: ({ id }) => app.api.post(`/api/${path}/${id}/restore`),
    after,
  })
}
