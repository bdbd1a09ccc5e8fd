import { tagHighlighter, tags } from '@lezer/highlight'

/** The classes of code. */
export const codeColors = tagHighlighter([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.self], class: 'code-keyword' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.inserted], class: 'code-string' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit, tags.color], class: 'code-number' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], class: 'code-comment' },
  {
    tag: [
      tags.typeName,
      tags.className,
      tags.namespace,
      tags.attributeName,
      tags.propertyName,
      tags.definition(tags.propertyName),
    ],
    class: 'code-name',
  },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.function(tags.definition(tags.variableName)),
      tags.definition(tags.function(tags.variableName)),
      tags.standard(tags.variableName),
    ],
    class: 'code-function',
  },
  { tag: [tags.tagName, tags.macroName, tags.labelName, tags.deleted, tags.invalid], class: 'code-tag' },
  { tag: tags.heading, class: 'code-keyword' },
])
