import { describe, expect, test } from 'vitest'
import { extractTags } from '../../../../lib/content/properties/page-data.ts'
import { markdownToHtml } from '../../../../public/ui/markdown/markdown.ts'

const html = (text: string) => markdownToHtml(text, { slug: 'skerry-light', links: [] })
const linked = (text: string) =>
  [...html(text).matchAll(/<a href="[^"]*view=table&amp;tag=([^"]*)" class="tag">/g)].map(([, tag]) =>
    decodeURIComponent(tag!),
  )

describe('tags in a text', () => {
  test('lead to the pages that have them', () => {
    expect(html('Trim it. #Lamp/wick today')).toBe(
      '<p>Trim it. <a href="/s/skerry-light/pages?view=table&amp;tag=Lamp%2Fwick" class="tag">#Lamp/wick</a> today</p>\n',
    )
  })

  test('of two words are closed, as Bear writes them', () => {
    const text = 'Trim it. #lamp oil# and #wick, #1 x# #a# b#c d# `#co de#`\n# Heading #\n#north tower#'

    expect([...extractTags(text).values()]).toEqual(['lamp-oil', '1-x', 'north-tower', 'wick', 'a'])
    expect(linked(text)).toEqual(['lamp-oil', 'wick', '1-x', 'a', 'north-tower'])
  })

  test.each([
    '#lamp, and #oil.',
    'two\n#lines #of',
    '- #in a list',
    '**bold** #after',
    'no#tag (#paren) a/#b',
    '#123 is a number, #a1 not',
    '`#code` and ```#code```',
    '```\n#fenced\n```',
    '[a #label](https://a.example/#hash) [[Page #x]]',
    'https://a.example/ #behind',
    '[[A]]#touching and **b**#touching',
    '\\#escaped',
    '# Heading #tagged',
    '#über #日本 #🐟',
    `#${'x'.repeat(101)}`,
  ])('of %j are those that its page is found by', (text) => {
    expect(linked(text).map((tag) => tag.toLowerCase())).toEqual(
      [...extractTags(text).keys()].filter((tag) => text.toLowerCase().includes(`#${tag}`)),
    )
  })

  test('carry no markup', () => {
    expect(html('#a"><img src=x onerror=y>')).not.toMatch(/<img|"><img/)
  })
})
