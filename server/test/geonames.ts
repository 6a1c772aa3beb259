interface Columns {
  id?: string;
  name?: string;
  ascii?: string;
  others?: string;
  latitude?: string;
  longitude?: string;
  kind?: string;
  code?: string;
  country?: string;
  region?: string;
  population?: string;
}

let lines = 0;

/** A line of a GeoNames dump: a town in Norway by default. */
export function geoNamesLine(columns: Columns = {}): string {
  lines += 1;
  const { id = String(lines), name = `Stad ${lines}`, ascii = name, others = '' } = columns;
  const {
    latitude = '62.47',
    longitude = '6.15',
    kind = 'P',
    code = 'PPL',
    country = 'NO',
    region = '12',
    population = '1000',
  } = columns;
  const place = [id, name, ascii, others, latitude, longitude, kind, code, country, '', region, '', '', ''];
  return [...place, population, '', '40', 'Europe/Oslo', '2026-01-31'].join('\t');
}
