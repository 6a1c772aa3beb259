/**
 * The names of one culture, separated by commas. `Ольга=Olga` has the Latin spelling behind the equals sign; a slash parts
 * the men's from the women's form of a family name.
 */
export interface NameLists {
  women: string;
  men: string;
  families: string;
}
