import { type CallModel, type ContentBlock, ModelError, type ModelMessage } from '../model.ts'

/**
 * A model that is asked again without images when it refuses a request that has some, as a text-only model does. The
 * refused image stays in the thread and must not fail every later turn. Later calls are sent without images at once.
 */
export function retryWithoutImages(callModel: CallModel): CallModel {
  let refused = false
  const callWithout: CallModel = (request) =>
    callModel({ ...request, messages: request.messages.map(withoutImages) })

  return async (request) => {
    if (!request.messages.some(hasImage)) return await callModel(request)
    if (refused) return await callWithout(request)
    try {
      return await callModel(request)
    } catch (error) {
      if (!(error instanceof ModelError) || error.code !== 'model_bad_request') throw error
      refused = true
      request.onStatus?.('The model did not accept the images. Asking again without them.')
      return await callWithout(request)
    }
  }
}

const isImage = ({ type }: ContentBlock) => type === 'image'

const hasImage = ({ content }: ModelMessage) => typeof content !== 'string' && content.some(isImage)

const imageNote: ContentBlock = { type: 'text', text: '[Void: an image. This model did not accept it.]' }

export const withoutImages = ({ role, content }: ModelMessage): ModelMessage => ({
  role,
  content:
    typeof content === 'string' ? content : content.map((block) => (isImage(block) ? imageNote : block)),
})
