import { msg } from '@lingui/core/runtime-macro';
import { plain } from '#contract/readable.ts';
import { supportAddress } from '../service/brand.ts';
import { hasLink } from '../links.ts';
import { invalid } from './app-error.ts';

interface Own {
  publicUrl: string;
  supportEmail: string;
}

/** Whether a word is a web address of this service or its address for support. */
function isOwn(word: string, { publicUrl, ...own }: Own): boolean {
  const address = word.replace(/[.:]$/, '');
  if (address.toLowerCase() === supportAddress(own).toLowerCase()) return true;
  const url = URL.parse(/^https?:\/\//i.test(address) ? address : `https://${address}`);
  // An address within an address could be what people copy.
  return url?.host === new URL(publicUrl).host && url.username === '' && address.split('://').length <= 2;
}

/**
 * 400 for a text to members with a link to another site, plain or disguised: what the team writes is trusted, and a wrong link in it could
 * reach many of them. `field` is where the text is in the request.
 */
export function requireOwnLinks(field: string, text: string, own: Own): void {
  const others = text.replaceAll(/[^\s()<>[\]"'!?,;]+/g, (word) => (isOwn(word, own) ? '' : word));
  if (hasLink(plain(others))) throw invalid(field, msg`This can't have links or addresses of other sites`);
}
