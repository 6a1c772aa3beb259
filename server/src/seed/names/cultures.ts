import { africaAndOceania } from './africa-and-oceania.ts';
import { asia } from './asia.ts';
import { eastOfEurope } from './east-of-europe.ts';
import type { NameLists } from './name-lists.ts';
import { northAndWest } from './north-and-west.ts';

const lists = { ...northAndWest, ...eastOfEurope, ...asia, ...africaAndOceania };

export type CultureKey = keyof typeof lists;

/** A name as its owner writes it, and in Latin letters. */
export interface Name {
  written: string;
  latin: string;
}

export interface Culture {
  women: Name[];
  men: Name[];
  families: { man: Name; woman: Name }[];
}

function readName(text: string): Name {
  const [written = '', latin = written] = text.split('=');
  return { written, latin };
}

function readCulture({ women, men, families }: NameLists): Culture {
  const readNames = (text: string) => text.split(', ').map(readName);
  const readFamily = (text: string) => {
    const [man = '', woman = man] = text.split('/');
    return { man: readName(man), woman: readName(woman) };
  };
  return { women: readNames(women), men: readNames(men), families: families.split(', ').map(readFamily) };
}

export const cultures = Object.fromEntries(
  Object.entries(lists).map(([key, nameLists]) => [key, readCulture(nameLists)]),
) as Record<CultureKey, Culture>;

export const cultureKeys = Object.keys(lists) as CultureKey[];
