import { describe, expect, test } from 'vitest'
import { entityHref, kindNames } from '../../public/entities/addresses.ts'
import { moduleOf } from '../../public/route-modules.ts'
import { matchRoute, routes } from '../../public/routes.ts'

describe('an address', () => {
  test('names its view and what it is about', () => {
    expect(matchRoute('/s/skerry-light/pages/42')).toMatchObject({
      route: { pattern: '/s/:slug/pages/:id' },
      params: { slug: 'skerry-light', id: '42' },
    })
    expect(matchRoute('/s/skerry-light/')?.route.pattern).toBe('/s/:slug')
    expect(matchRoute('/s/a%20b')?.params).toEqual({ slug: 'a b' })
  })

  test('that is nothing matches nothing', () => {
    for (const path of ['/', '/nowhere', '/s', '/s//pages', '/s/a/pages/1/2', '/s/%E0%A4%A', '/s/a/pages/']) {
      const found = matchRoute(path)
      expect([path, found?.route.pattern ?? null]).toEqual([
        path,
        path === '/s/a/pages/' ? '/s/:slug/pages' : null,
      ])
    }
  })

  test('of every kind leads to a view of its own', () => {
    for (const type of Object.keys(kindNames)) {
      const href = entityHref('skerry-light', type, '42', 'the very words')!
      const url = new URL(href, 'http://void.invalid')
      expect(matchRoute(url.pathname)?.params).toEqual({ slug: 'skerry-light', id: '42' })
      expect(url.searchParams.get('cite')).toBe('the very words')
    }
    expect(entityHref('skerry-light', 'conversation', '42')).toBeNull()
  })

  test('is never taken by an earlier pattern', () => {
    for (const { pattern } of routes) {
      const path = pattern.replaceAll(/:\w+/g, 'x')
      expect(matchRoute(path)?.route.pattern).toBe(pattern)
    }
  })

  test('has the module that it loads named for the server', async () => {
    for (const { pattern, load } of routes) {
      const named = await import(`../../public/${moduleOf[pattern]}`)
      expect([pattern, (await load()).view === named.view]).toEqual([pattern, true])
    }
    expect(Object.keys(moduleOf)).toEqual(routes.map(({ pattern }) => pattern))
  })
})
