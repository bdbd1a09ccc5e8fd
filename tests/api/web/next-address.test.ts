import { describe, expect, test } from 'vitest'
import { safeNext } from '../../../lib/api/web/sign-in.ts'

describe('after signing in', () => {
  test('one is where one was', () => {
    for (const address of ['/', '/inbox', '/s/a/pages/1?cite=two%20words#here', '/search?q=a+b&kinds=page']) {
      expect(safeNext(address)).toBe(address)
    }
  })

  test('one is never on another site', () => {
    const hostile = [
      ...[
        '//evil.example',
        '/\\evil.example',
        '\\\\evil.example',
        'https://evil.example',
        'javascript:alert(1)',
      ],
      ...['/\t/evil.example', '/\n/evil.example', '/./\\evil.example', '/..//evil.example', '', 'inbox'],
      ...[undefined, null, 7, ['/inbox'], { next: '/inbox' }],
    ]

    expect(hostile.map(safeNext)).toEqual(hostile.map(() => '/'))
  })
})
