/** Which of Google's files a text is, `json` for any other JSON object or list, undefined where it is none. */
export function jsonKind(text: string): 'service-account' | 'google-services' | 'json' | undefined {
  const trimmed = text.replace(/^\ufeff/u, '').trim()
  if (!/^[{[]/.test(trimmed)) return undefined
  if (/"type"\s*:\s*"service_account"/.test(trimmed)) return 'service-account'
  if (/"project_info"\s*:/.test(trimmed)) return 'google-services'
  return 'json'
}
