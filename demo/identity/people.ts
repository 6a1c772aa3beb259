import { createHash } from 'node:crypto';

export const builtInPath = '/dev/idp';

/** A person the built-in issuer can sign in. */
export interface BuiltInPerson {
  subject: string;
  firstName: string;
  lastName: string | null;
  /** Null: they only gave Facebook a phone number. */
  email: string | null;
  /** What to expect when signing in as them. */
  about: string;
}

/** The person with this address: always the same subject. */
export function personOf(email: string, firstName: string): BuiltInPerson {
  const subject = createHash('sha256').update(email).digest('hex').slice(0, 20);
  return { subject, firstName, lastName: null, email, about: '' };
}

const person = (name: string, email: string, about: string): BuiltInPerson => {
  const [firstName = '', lastName = null] = name.split(' ');
  return { ...personOf(email, firstName), lastName, about };
};

/** The people the built-in issuer offers, by their name in addresses. */
export const builtInPeople: Record<string, BuiltInPerson> = {
  ada: person('Ada Lindqvist', 'ada@heartwood.test', 'a member already'),
  bo: person('Bo Hansen', 'bo@heartwood.test', 'a member with premium'),
  nora: person('Nora Newman', 'nora.newman@heartwood.test', 'new here'),
  finn: {
    subject: 'finn-without-an-address',
    firstName: 'Finn',
    lastName: 'Falk',
    email: null,
    about: 'new here, without an address at Facebook',
  },
  iris: person('Iris Calder', 'admin@heartwood.test', 'staff, who cannot sign in this way'),
};
