/* A device around another one that takes ten times as long to compute. */
#ifndef CUZK_TEST_SLOW_DEVICE_H
#define CUZK_TEST_SLOW_DEVICE_H

#include "engine/device.h"

/* For the engine's configuration: wrap. */
cuzk_device *test_slow_wrap(void *context, unsigned index, cuzk_device *device);

#endif
