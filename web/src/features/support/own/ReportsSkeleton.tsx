import { Bone } from '../../../ui/feedback/PageStates.tsx';
import classes from './ReportList.module.css';

/** Where the rows of the list will stand. */
export function ReportsSkeleton() {
  return (
    <div className={classes.list}>
      {['1', '2', '3', '4', '5', '6', '7'].map((row) => (
        <Bone key={row} height="7.2rem" />
      ))}
    </div>
  );
}
