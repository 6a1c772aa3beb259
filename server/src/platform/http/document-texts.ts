import { generateMessageId } from '@lingui/message-utils/generateMessageId';

/** The words between two tags that aren't bold, or of an attribute; styles and scripts contain none. */
const wordsOfHtml =
  /<(?:script|style)\b[^]*?(?:<\/|$)|(?<=>)(?:[^<>]|<\/?(?:b|strong)>)+|(?<=(?:alt|aria-label|(?:name="description"|property="og:(?:title|description|image:alt)")\s+content)=")[^"]+/g;
/** The descriptions, labels and names of shortcuts of a web app's manifest. */
const wordsOfManifest = /(?<="(?:description|label)": "|\{ "name": ")[A-Z][^"]+/g;

/**
 * Replaces each text of a document for people, in which `%NAME%` is the placeholder `{NAME}`, except for texts that are nothing else.
 */
export function replaceTexts(document: string, replace: (text: { id: string; message: string }) => string): string {
  const isHtml = document.startsWith('<');
  return document.replaceAll(isHtml ? wordsOfHtml : wordsOfManifest, (words) => {
    const message = words
      .trim()
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/%(\w+)%/g, '{$1}');
    if (/^(|\{\w+\}|<s(?:cript|tyle)\b.*)$/.test(message)) return words;
    const text = { id: generateMessageId(message) as string, message };
    return words.replace(words.trim(), () => replace(text).replaceAll('"', isHtml ? '&quot;' : '\\"'));
  });
}
