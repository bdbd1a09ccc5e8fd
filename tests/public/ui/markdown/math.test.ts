import { describe, expect, test } from 'vitest'
import { blocksOf, markdownToHtml } from '../../../../public/ui/markdown/markdown.ts'

const html = (text: string) => markdownToHtml(text, { slug: 'skerry-light', links: [] })
const formulas = (text: string) =>
  [...html(text).matchAll(/<code class="math[^"]*">(.*?)<\/code>/gs)].map(([, tex]) => tex)

describe('formulas', () => {
  test.each([
    ['so $x^2$ is', ['$x^2$']],
    ['$a_1$ and $b_2$ *c*', ['$a_1$', '$b_2$']],
    ['$a \\\\ b$', ['$a \\\\ b$']],
    ['$\\$5$', ['$\\$5$']],
    ['$2x$', ['$2x$']],
    ['$5 \\times 3$', ['$5 \\times 3$']],
    ['see $$a\\\\b$$ here', ['$$a\\\\b$$']],
    ['$$\na \\\\ b\n- c\n$$\nafter', ['$$a \\\\ b\n- c$$']],
    ['above\n$$x$$\nbelow', ['$$x$$']],
    ['- item\n  $$\n  x\n  $$', ['$$x$$']],
  ])('%j holds %j', (text, expected) => {
    expect(formulas(text)).toEqual(expected)
  })

  test.each([
    '$5 and $10',
    'US$5-$10',
    '$5, or 10$',
    'I paid $5. He paid 10$.',
    '$HOME and $PATH',
    '$HOME/$USER',
    '\\$x\\$',
    '`$x$`',
    '```\n$$\nx\n$$\n```',
    '$ x $',
    '$$\nx\n\ny\n$$',
    `$${'x'.repeat(1001)}$`,
  ])('are not in %s', (text) => {
    expect(formulas(text)).toEqual([])
  })

  test('on lines of their own are blocks', () => {
    expect(blocksOf('a\n$$\nb\n+ c\n$$\nd').map((block) => block.trim())).toEqual([
      'a',
      '$$\nb\n+ c\n$$',
      'd',
    ])
  })

  test('carry no markup', () => {
    expect(html('$<img src=x onerror=y>$ $$</code><script>z</script>$$')).not.toMatch(/<img|<script/)
  })
})
