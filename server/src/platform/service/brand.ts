import { setUsualLanguage } from '#contract/languages.ts';
import { fileOf } from '#contract/service/file-name.ts';
import { brandPicturePath } from '#contract/service/service.ts';
import { type Brand, usualSettings } from '#contract/service/settings.ts';
import type { Config } from '../config/config.ts';
import type { Seller } from '../config/payments.ts';
import type { Db } from '../db/db.ts';
import { ownersTexts } from './published-texts.ts';

let brand = usualSettings.brand;

/** The current brand of the service, for texts, mails and documents, which are created outside of any request. */
export const presentBrand = (): Brand => brand;

/** Sets the brand for everything that this process creates from now on. */
export function showBrand(next: Brand): void {
  brand = next;
  setUsualLanguage(next.language);
}

/** The bytes of a logo or icon, a PNG picture; undefined if there is none with this id. */
export async function brandPicture(db: Db, id: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('brand_picture').select('png').where('id', '=', id).executeTakeFirst();
  return row?.png;
}

/** The address for support: the brand's, or that of the configuration. */
export const supportAddress = ({ supportEmail }: Pick<Config, 'supportEmail'>): string =>
  brand.supportEmail ?? supportEmail;

/** The seller with the name of the legal entity that runs the service, if the owner gave one. */
export const presentSeller = (seller: Seller): Seller => ({ ...seller, name: brand.legalEntity ?? seller.name });

/** The header that makes browsers save an answer as a file, whose name starts with the service's. */
export const asFile = (rest: string): string => `attachment; filename="${fileOf(brand.name, rest)}"`;

/** What the app needs to show the brand, with the addresses of its pictures. */
export function shownBrand({ payments }: Config, shown = brand) {
  const { name, colours, logo, icon, legalEntity, language } = shown;
  const pathOf = (picture: string | null) => picture && brandPicturePath(picture);
  return {
    name,
    language,
    colours,
    logo: pathOf(logo),
    icon: pathOf(icon),
    legalEntity: legalEntity ?? payments.seller.name,
    texts: [...ownersTexts()],
  };
}
