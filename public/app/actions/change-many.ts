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

/** Changes several things, one after another; what fails is told, and one Undo changes the others back. */
export async function changeMany<Row extends One, Result>(
  app: App,
  rows: readonly Row[],
  { done, apply, undo, after }: Change<Row, Result>,
): Promise<void> {
  const changed: { row: Row; result: Result }[] = []
  const failed: string[] = []
  for (const row of rows) {
    try {
      changed.push({ row, result: await apply(row) })
    } catch (error) {
      const isOutdated = error instanceof ApiError && error.status === 409
      failed.push(`${quoteShown(row.title)}: ${isOutdated ? 'changed in the meantime' : messageOf(error)}`)
    }
  }
  await after()
  const run = async () => {
    try {
      for (const { row, result } of changed.toReversed()) await undo(row, result)
    } catch (error) {
      app.toast(`Could not undo all of it. ${messageOf(error)}`, { tone: 'problem' })
    }
    await after()
  }
  const words = [
    changed.length > 0 && done(changed.length),
    failed.length > 0 && `Not changed: ${failed.slice(0, 3).join('; ')}${failed.length > 3 ? ' …' : ''}`,
  ]
  app.toast(words.filter(Boolean).join(' '), {
    tone: failed.length > 0 ? 'problem' : 'plain',
    ...(changed.length > 0 ? { action: { label: 'Undo', run } } : {}),
  })
}

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
