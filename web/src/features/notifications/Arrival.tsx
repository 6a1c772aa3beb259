import { useText } from '../../ui/text/text.ts';
import { newsText, useNews } from './news.ts';

/** Says what has just come, once each time, to who listens. */
export function Arrival() {
  const t = useText();
  const arrived = useNews((news) => news.arrived);
  return (
    <span aria-live="polite" className="visually-hidden">
      {arrived !== null && <span key={`${arrived._id} ${arrived.at}`}>{newsText(arrived, t)}</span>}
    </span>
  );
}
