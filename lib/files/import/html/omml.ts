// Word's formulas (OMML) as TeX. https://learn.microsoft.com/en-us/dotnet/api/documentformat.openxml.math

import { attribute, childrenOf, type HtmlNode } from './node.ts'

const maxDepth = 60

/** A formula's TeX; of what has no counterpart there, the text. */
export const ommlToTex = (node: HtmlNode): string => contentOf(node, 0).replace(/\s+/g, ' ').trim()

const tagOf = (node: HtmlNode): string => node.nodeName.toLowerCase().replace(/^m:/, '')

function contentOf(node: HtmlNode | undefined, depth: number): string {
  if (!node || depth > maxDepth) return ''
  return childrenOf(node)
    .map((child) => (child.nodeType === 1 ? partOf(child, depth + 1) : ''))
    .join('')
}

function partOf(node: HtmlNode, depth: number): string {
  const tag = tagOf(node)
  const child = (name: string) => childrenOf(node).find((each) => tagOf(each) === name)
  const group = (name: string) => `{${contentOf(child(name), depth)}}`
  const property = (name: string) => {
    const properties = child(`${tag}pr`)
    const one = properties && childrenOf(properties).find((each) => tagOf(each) === name)
    return one ? attribute(one, 'm:val') : undefined
  }
  if (tag.endsWith('pr')) return ''
  if (tag === 't') return escapeTex(node.textContent ?? '')
  if (tag === 'f') return `\\frac${group('num')}${group('den')}`
  if (tag === 'ssup') return `${group('e')}^${group('sup')}`
  if (tag === 'ssub') return `${group('e')}_${group('sub')}`
  if (tag === 'ssubsup') return `${group('e')}_${group('sub')}^${group('sup')}`
  if (tag === 'rad') {
    const degree = contentOf(child('deg'), depth)
    return `\\sqrt${degree && `[${degree}]`}${group('e')}`
  }
  if (tag === 'nary') {
    const sign = signs[property('chr') ?? '∫'] ?? property('chr') ?? '\\int'
    return `${sign}_${group('sub')}^${group('sup')}${group('e')}`
  }
  if (tag === 'd') {
    const inner = childrenOf(node)
      .filter((each) => tagOf(each) === 'e')
      .map((each) => contentOf(each, depth))
    return `\\left${fence(property('begchr') ?? '(')}${inner.join(' | ')}\\right${fence(property('endchr') ?? ')')}`
  }
  if (tag === 'func') return `${functionName(contentOf(child('fname'), depth))}${group('e')}`
  if (tag === 'limlow') return `${contentOf(child('e'), depth)}_${group('lim')}`
  if (tag === 'limupp') return `${contentOf(child('e'), depth)}^${group('lim')}`
  if (tag === 'bar') return `\\overline${group('e')}`
  if (tag === 'acc') return `${accents[property('chr') ?? '\u0302'] ?? '\\hat'}${group('e')}`
  if (tag === 'm') {
    const rows = childrenOf(node).filter((each) => tagOf(each) === 'mr')
    const cells = rows.map((row) => childrenOf(row).map((cell) => contentOf(cell, depth)))
    return `\\begin{matrix}${cells.map((row) => row.join(' & ')).join(' \\\\ ')}\\end{matrix}`
  }
  return contentOf(node, depth)
}

export const signs: Record<string, string> = {
  '∫': '\\int',
  '∑': '\\sum',
  '∏': '\\prod',
  '⋃': '\\bigcup',
  '⋂': '\\bigcap',
  '∮': '\\oint',
}

export const accents: Record<string, string> = {
  '\u0302': '\\hat',
  '\u0303': '\\tilde',
  '\u0304': '\\bar',
  '\u0305': '\\overline',
  '\u0307': '\\dot',
  '\u0308': '\\ddot',
  '\u20d7': '\\vec',
}

export const fence = (sign: string): string => {
  if (sign === '') return '.'
  return sign === '{' || sign === '}' ? `\\${sign}` : sign
}

export const functionName = (name: string): string =>
  /^(?:sin|cos|tan|cot|log|ln|exp|lim|max|min|det|gcd|arg|sinh|cosh|tanh|arcsin|arccos|arctan)(?![a-z])/.test(
    name,
  )
    ? `\\${name}`
    : name

export const escapeTex = (text: string): string =>
  text.replace(/[#$%&_{}]/g, '\\$&').replace(/\\(?![#$%&_{}])/g, '\\backslash ')
