import { describe, expect, test } from 'vitest'
import { matchRoute } from '../../../public/app/router/routes.ts'
import { moduleOf } from '../../../public/start/route-modules.ts'
import { loadView } from '../../../public/start/views.ts'
import { entityHref, kindNames } from '../../../public/ui/words/addresses.ts'

describe('an address', () => {
  test('names its view and what it is about', () => {
    expect(matchRoute('/s/skerry-light/pages/42')).toMatchObject({
      pattern: '/s/:slug/pages/:id',
      params: { slug: 'skerry-light', id: '42' },
    })
    expect(matchRoute('/s/skerry-light/')?.pattern).toBe('/s/:slug')
    expect(matchRoute('/s/a%20b')?.params).toEqual({ slug: 'a b' })
  })

  test('that is nothing matches nothing', () => {
    for (const path of ['/', '/nowhere', '/s', '/s//pages', '/s/a/pages/1/2', '/s/%E0%A4%A', '/s/a/pages/']) {
      const match = matchRoute(path)
      expect([path, match?.pattern ?? null]).toEqual([path, path === '/s/a/pages/' ? '/s/:slug/pages' : null])
    }
  })

  test('of every kind leads to a view of its own', () => {
    for (const type of Object.keys(kindNames)) {
      const href = entityHref('skerry-light', type, '42', 'the very words')!
      const url = new URL(href, 'http://void.invalid')
      expect(matchRoute(url.pathname)?.params).toEqual({ slug: 'skerry-light', id: '42' })
      expect(url.searchParams.get('cite')).toBe('the very words')
    }
    expect(entityHref('skerry-light', 'conversation', '42')).toBe('/s/skerry-light/threads/42')
    expect(entityHref('skerry-light', 'tool_result', '42')).toBeNull()
  })

  test('is never taken by an earlier pattern', () => {
    for (const pattern of Object.keys(loadView)) {
      const path = pattern.replaceAll(/:\w+/g, 'x')
      expect(matchRoute(path)?.pattern).toBe(pattern)
    }
  })

  test('has the module that it loads named for the server', async () => {
    for (const [pattern, load] of Object.entries(loadView)) {
      const named = await import(`../../../public/${moduleOf[pattern as keyof typeof moduleOf]}`)
      expect([pattern, (await load()).view === named.view]).toEqual([pattern, true])
    }
    expect(Object.keys(moduleOf)).toEqual(Object.keys(loadView))
  })
})
