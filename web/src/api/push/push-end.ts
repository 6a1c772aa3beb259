/** Ends push notifications to this browser, even offline. Never fails. */
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
