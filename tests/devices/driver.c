// A stand-in for the NVIDIA driver's library; environment variables determine its answers.

#include <stdlib.h>
#include <string.h>

static int number(const char* name) { return atoi(getenv(name)); }

int cuInit(unsigned flags) { return flags; }
int cuDriverGetVersion(int* version) { return *version = number("DRIVER_VERSION"), 0; }
int cuDeviceGetCount(int* count) { return *count = number("DRIVER_GPUS"), 0; }
int cuDeviceGet(int* device, int index) { return *device = index, 0; }

// All are slices of one GPU.
int cuDeviceGetUuid_v2(char* uuid, int device) {
    memset(uuid, device, 16);
    return 0;
}

// Every GPU after the first is one generation older.
int cuDeviceGetAttribute(int* value, int attribute, int device) {
    const int others = attribute == 76 ? number("DRIVER_CAPABILITY") % 10 : attribute;
    *value = attribute == 75 ? number("DRIVER_CAPABILITY") / 10 - device : others;
    return 0;
}

int cuDeviceTotalMem_v2(size_t* bytes, int device) { return *bytes = (size_t)80 << 30, 0 * device; }

