// What is marked, and what is set aside.

import { describe, expect, test } from 'vitest'
import { blocksOf, markdownToHtml } from '../../../../public/ui/markdown/markdown.ts'

const html = (text: string) => markdownToHtml(text, { slug: 'skerry-light', links: [] })
const comments = (text: string) =>
  [...html(text).matchAll(/<summary>Comment<\/summary><span class="comment-text">(.*?)<\/span>/gs)].map(
    ([, said]) => said,
  )

describe('comments', () => {
  test('are folded, within a line and on lines of their own', () => {
    expect(comments('Oil %%buy *more*%% and wick.')).toEqual(['buy *more*'])
    expect(comments('One.\n\n%%\nfirst\n\nsecond\n%%\n\nTwo.')).toEqual(['first\n\nsecond'])
    expect(comments('One.\n%% below it %%\nTwo.')).toEqual(['below it'])
    expect(html('Oil %%x%% and *wick*.')).toMatch(
      /^<div>Oil <details .*<\/details> and <em>wick<\/em>\.<\/div>/,
    )
  })

  test('hide nothing: their words are there to be unfolded', () => {
    for (const text of ['%%a <b>c</b>%%', '%%\n[x](javascript:y)\n\n![z](https://evil.example/)\n%%']) {
      const [said] = comments(text)
      expect(said).not.toMatch(/[<>]/)
      expect(html(text)).not.toMatch(/href|src=/)
    }
  })

  test.each([
    '%% never ends',
    '`%%a%%`',
    '```\n%%a%%\n```',
    '100 %% of it',
    `%%${'a'.repeat(10_001)}%%`,
    '`%%` a\n\nb `%%`',
    'a `x %%` b\n\nb%%',
  ])('%s is none', (text) => {
    expect(comments(text)).toEqual([])
    expect(html(text)).toContain('%%')
  })

  test('are a block of their own only where nothing follows in their line', () => {
    expect(blocksOf('%% a\n\nb %%\nc').map((block) => block.trim())).toEqual(['%% a\n\nb %%', 'c'])
    expect(html('%% a %% b')).toMatch(/^<div><details/)
    expect(html('x%%a%%')).toMatch(/^<div>x<details/)
    expect(blocksOf('x %%a\n\nb%% y').join('')).toBe('x %%a\n\nb%% y')
    expect(comments('%%%%')).toEqual([''])
  })
})

describe('highlights', () => {
  test('are marked, with what is in them', () => {
    expect(html('a ==b **c**== d')).toBe('<p>a <mark>b <strong>c</strong></mark> d</p>\n')
    expect(html('==<script>==')).not.toContain('<script>')
  })

  test.each(['a == b == c', 'x==1 and y==2', '`==a==`', '====', '== a==', `==${'a'.repeat(2001)}==`])(
    'are not in %s',
    (text) => {
      expect(html(text)).not.toContain('<mark>')
    },
  )
})
