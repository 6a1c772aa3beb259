import { createHash } from 'node:crypto';

/** Somebody as the built-in issuer knows them. */
export interface BuiltInPerson {
  subject: string;
  firstName: string;
  lastName: string | null;
  /** Null: they gave Facebook a telephone number only. */
  email: string | null;
  /** What choosing them shows. */
  about: string;
}

/** Whoever has this address; always the same subject. */
export function personOf(email: string, firstName: string): BuiltInPerson {
  const subject = createHash('sha256').update(email).digest('hex').slice(0, 20);
  return { subject, firstName, lastName: null, email, about: '' };
}

const person = (name: string, email: string, about: string): BuiltInPerson => {
  const [firstName = '', lastName = null] = name.split(' ');
  return { ...personOf(email, firstName), lastName, about };
};

/** The people whom the built-in issuer offers, by how an address names them. */
export const builtInPeople: Record<string, BuiltInPerson> = {
  ada: person('Ada Lindqvist', 'ada@heartwood.test', 'a member already'),
  bo: person('Bo Hansen', 'bo@heartwood.test', 'a member with premium'),
  nora: person('Nora Newman', 'nora.newman@heartwood.test', 'new here'),
  finn: {
    subject: 'finn-without-an-address',
    firstName: 'Finn',
    lastName: 'Falk',
    email: null,
    about: 'new here, and without an address at Facebook',
  },
  iris: person('Iris Calder', 'admin@heartwood.test', 'staff, who do not sign in this way'),
};
