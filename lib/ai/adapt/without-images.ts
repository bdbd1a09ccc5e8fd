import { type ContentBlock, isThinking, type ModelMessage, withoutThinking } from '../model.ts'

const isImage = ({ type }: ContentBlock) => type === 'image'

export const hasImage = ({ content }: ModelMessage): boolean =>
  typeof content !== 'string' && content.some(isImage)

const imageNote: ContentBlock = { type: 'text', text: '[Void: an image. This model did not accept it.]' }

export const withoutImages = ({ role, content }: ModelMessage): ModelMessage => ({
  role,
  content:
    typeof content === 'string' ? content : content.map((block) => (isImage(block) ? imageNote : block)),
})

export const hasThinking = ({ content }: ModelMessage): boolean =>
  typeof content !== 'string' && content.some(isThinking)

export const withoutPastThinking = (message: ModelMessage): ModelMessage =>
  typeof message.content === 'string' || !hasThinking(message)
    ? message
    : { ...message, content: withoutThinking(message.content) }
