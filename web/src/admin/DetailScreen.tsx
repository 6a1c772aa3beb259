import type { ReactNode } from 'react';
import type { LinkProps } from 'react-router';
import { LastUpdated, type Refreshable } from '../ui/feedback/LastUpdated.tsx';
import { Breadcrumb, Page } from '../ui/layout/Page.tsx';
import { DetailBody, type DetailBodyProps, isMissing } from './DetailParts.tsx';

interface DetailScreenProps<T> extends DetailBodyProps<T> {
  query: DetailBodyProps<T>['query'] & Refreshable;
  /** The link to the list that it belongs to. */
  back: LinkProps;
  title: string;
  missingTitle: string;
  /** Buttons in the head, after the age of the data. */
  actions?: ReactNode;
}

/** The page of one thing for staff: the way back, its head, and its facts, panels and acts. */
export function DetailScreen<T>({ back, title, missingTitle, actions, ...body }: DetailScreenProps<T>) {
  const isGone = isMissing(body.query);
  return (
    <>
      <Breadcrumb {...back} />
      <Page
        title={isGone ? missingTitle : title}
        actions={
          !isGone && (
            <>
              <LastUpdated query={body.query} />
              {actions}
            </>
          )
        }
      >
        <DetailBody {...body} />
      </Page>
    </>
  );
}
