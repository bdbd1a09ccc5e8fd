import { expect, test } from 'vitest'
import { attackSurface } from './surface.ts'

test('an attack counts what it tried and what fell', async () => {
  const report = await attackSurface({
    name: 'doors',
    attack: async ({ tried, fell }) => {
      tried(3)
      fell('the back door')
    },
  })

  expect(report).toMatchObject({ name: 'doors', tried: 3, falls: ['the back door'] })
})

test('an attack that tries nothing or throws has fallen', async () => {
  const idle = await attackSurface({ name: 'doors', attack: async () => {} })
  const broken = await attackSurface({
    name: 'doors',
    attack: async ({ tried }) => {
      tried()
      throw new Error('no key')
    },
  })

  expect(idle.falls).toEqual(['nothing was tried'])
  expect(broken.falls[0]).toContain('no key')
})
