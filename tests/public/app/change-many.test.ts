import { expect, test } from 'vitest'
import { changeMany, type One } from '../../../public/app/actions/change-many.ts'
import type { App } from '../../../public/app/app.ts'

type Toast = { message: string; action?: { label: string; run: () => Promise<void> } }

const rows: One[] = ['Oil', 'Wick', 'Glass'].map((title, index) => ({ id: `${index}`, title, version: 1 }))

test('an undo of a change to many goes on with the others when one fails, and names that one', async () => {
  const toasts: Toast[] = []
  const app = {
    toast: (message: string, options: Omit<Toast, 'message'>) => toasts.push({ message, ...options }),
  } as unknown as App
  const undone: string[] = []
  let loaded = 0

  await changeMany(app, rows, {
    done: (count) => `Changed ${count}.`,
    apply: async ({ title }) => title,
    async undo({ title }, result) {
      expect(result).toBe(title)
      if (title === 'Wick') throw new Error('It is gone.')
      undone.push(title)
    },
    after: () => loaded++,
  })
  await toasts[0]!.action!.run()

  expect(undone).toEqual(['Glass', 'Oil'])
  expect(toasts.map(({ message }) => message)).toEqual([
    'Changed 3.',
    expect.stringMatching(/^Not undone: .Wick./),
  ])
  expect(loaded).toBe(2)
})
