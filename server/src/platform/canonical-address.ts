/** The mailbox behind an address: lower case, without a part after a plus sign and, at Google, without dots. */
export function canonicalAddress(email: string): string {
  const [local = '', domain = ''] = email.toLowerCase().split(/@(?=[^@]*$)/);
  // A plus sign at the beginning is part of the name.
  const [name = ''] = local.split(/(?<=.)\+/);
  return domain === 'gmail.com' || domain === 'googlemail.com'
    ? `${name.replaceAll('.', '')}@gmail.com`
    : `${name}@${domain}`;
}
