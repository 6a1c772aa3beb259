/** This browser is told nothing any more, offline too. Never fails: where nothing can be told, nothing has to end. */
export async function endPush(): Promise<void> {
  try {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    const registration = await workers?.getRegistration();
    const subscription = await registration?.pushManager.getSubscription();
    await subscription?.unsubscribe();
  } catch {
    // The server ends what it knows of this device with the session.
  }
}
